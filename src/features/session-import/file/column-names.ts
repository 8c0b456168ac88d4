/** The columns that an import reads. */
export const columnFields = [
  ...(['project', 'note', 'start', 'end', 'date', 'start_date', 'start_time', 'end_date', 'end_time'] as const),
  ...(['duration', 'email'] as const),
] as const;
export type ColumnField = (typeof columnFields)[number];
export type OwnField = 'project_id' | 'user_id' | 'source' | 'time_zone' | 'auto_stopped';

const names = (text: string): readonly string[] => text.trim().split(/,\s+/).map(plainHeader);

/** Headers are compared without case, accents and width. Normalising long runs of combining marks takes quadratic time. */
export function plainHeader(header: string): string {
  const decomposed = header.slice(0, 200).normalize('NFKD').replace(/\p{M}/gu, '');
  return decomposed
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ');
}

/**
 * Headers of Toggl Track, Clockify, Harvest, Kimai, aTimeLogger, Forest and solidtime in the languages of their applications, and of
 * tables that people keep themselves. Earlier names precede later ones.
 */
export const columnNames: Record<ColumnField, readonly string[]> = {
  project: names(`
    project, project name, projekt, projet, proyecto, progetto, projeto, проект, проєкт, プロジェクト, 项目, 项目名称, 專案, 프로젝트,
    activity type, activity, 活动类别, 活動類別, aktivität, activité, actividad, тип деятельности,
    subject, course, fach, kurs, matière, cours, materia, asignatura, curso, disciplina, 科目, 课程, 課程, 과목, tag`),
  note: names(`
    description, beschreibung, descripción, descrição, descrizione, omschrijving, opis, описание, опис, 説明, 描述, 说明, 說明, 설명,
    note, notes, notiz, notizen, nota, notas, opmerking, bemerkung, bemerkungen, remarque, remarques, observaciones, observações, comment, comments, kommentar, commentaire, comentario, comentário,
    commento, комментарий, コメント, 备注, 備註, 笔记, 内容`),
  start: names(`
    started at, start, begin, start date and time, start datetime, beginn, from, von, de, début, inicio, início, inizio, начало,
    开始, 開始, 开始日期和时间, 시작`),
  end: names(`
    ended at, end, end date and time, end datetime, stop, ende, to, bis, à, fin, fim, fine, конец, 结束, 結束, 終了,
    结束日期和时间, 종료`),
  date: names('date, day, datum, fecha, data, дата, 日期, 日付, 날짜, spent date'),
  start_date: names(`
    start date, startdatum, date de début, fecha de inicio, fecha inicio, data de início, data início, data di inizio, data inizio,
    begindatum, data rozpoczęcia, дата начала, дата початку, 开始日期, 開始日期, 開始日, 시작 날짜, 시작일`),
  start_time: names(`
    start time, startzeit, heure de début, hora de inicio, hora inicio, hora de início, hora início, ora di inizio, ora inizio,
    begintijd, starttijd, godzina rozpoczęcia, время начала, час початку, 开始时间, 開始時間, 開始時刻, 시작 시간, 시작시간`),
  end_date: names(`
    end date, stop date, enddatum, date de fin, fecha de finalización, fecha de fin, fecha fin, data de término, data final,
    data de fim, data di fine, data fine, einddatum, data zakończenia, дата окончания, дата завершення, 结束日期, 結束日期, 終了日,
    종료 날짜, 종료일`),
  end_time: names(`
    end time, stop time, endzeit, heure de fin, hora de finalización, hora de fin, hora fin, hora de término, hora final,
    hora de fim, ora di fine, ora fine, eindtijd, godzina zakończenia, время окончания, час завершення, 结束时间, 結束時間,
    終了時間, 終了時刻, 종료 시간, 종료시간`),
  duration: names(`
    duration, duration (h), dauer, dauer (h), durée, durée (h), duración, duración (h), duração, duração (h), durata, durata (h),
    duur, duur (h), czas trwania, czas trwania (h), длительность, продолжительность, продолжительность (ч), тривалість,
    тривалість (год), 期間, 期間 (時間), 所要時間, 持续时间, 持续时间 (小时), 持續時間, 时长, 時長, 시간, 기간,
    time (h), zeit (h), temps (h), tiempo (h), tempo (h), hours, stunden, heures, horas, ore, uren, 小时, 小時,
    duration (decimal), dauer (dezimal), durée (décimal), duración (decimal), duração (decimal), time (decimal), duration (hours),
    minutes, duration (min), minuten, 分钟, 分鐘`),
  email: names(`
    email, e-mail, user email, e-mail-adresse, adresse e-mail, correo electrónico, correo, электронная почта, メール, 邮箱, 电子邮件,
    電子郵件, 이메일, user, user name, username, member, benutzer, benutzername, utilisateur, usuario, usuário, do utilizador,
    utilizador, utente, gebruiker, użytkownik, пользователь, користувач, ユーザー, 用户, 使用者, 成员, 사용자, employee`),
};

export const inMinutes = /\bmin(utes?|uten)?\b|分/;

/** Additional columns of an export of this service. */
export const ownNames: Record<OwnField, string> = {
  ...{ project_id: 'project id', user_id: 'user id', source: 'source', time_zone: 'time zone' },
  auto_stopped: 'auto stopped',
};
