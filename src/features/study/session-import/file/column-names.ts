/** The columns that an import reads. */
export const columnFields = [
  ...(['project', 'note', 'start', 'end', 'date', 'start_date', 'start_time', 'end_date', 'end_time'] as const),
  ...(['duration', 'email', 'tags'] as const),
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

const zone = / ?[([]?(?<![a-z])(?:utc|gmt)(?: ?([+-])(\d{1,2})(?::?([0-5]\d))?)?(?![a-z\d+-])[)\]]?/;

/** A header such as `Start (UTC)`, `start_utc` or `End (GMT+2)`: its name, and what its times are ahead of UTC in milliseconds. */
export function zonedHeader(header: string): { name: string; offset?: number } {
  const plain = plainHeader(header);
  const [found, sign, hours = '0', minutes = '0'] = zone.exec(plain) ?? [];
  if (found === undefined || Number(hours) > 14) return { name: plain };
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { name: plain.replace(found, '').trim(), offset: sign === '-' ? -ahead : ahead };
}

/**
 * Headers of Toggl Track, Clockify, Harvest, Kimai, aTimeLogger, Forest and solidtime in the languages of their applications, and of
 * tables that people keep themselves. Earlier names precede later ones.
 */
export const columnNames: Record<ColumnField, readonly string[]> = {
  project: names(`
    project, project name, projekt, projet, proyecto, progetto, projeto, проект, проєкт, プロジェクト, 项目, 项目名称, 項目, 項目名稱, 專案, 專案名稱, 프로젝트,
    activity type, activity, 活动类别, 活動類別, aktivität, activité, actividad, тип деятельности,
    subject, course, fach, kurs, matière, cours, materia, asignatura, curso, disciplina, 科目, 课程, 課程, 과목, tag`),
  note: names(`
    description, beschreibung, descripción, descrição, descrizione, omschrijving, opis, описание, опис, 説明, 描述, 说明, 說明, 설명,
    note, notes, notiz, notizen, nota, notas, opmerking, bemerkung, bemerkungen, remarque, remarques, observaciones, observações, comment, comments, kommentar, commentaire, comentario, comentário,
    commento, комментарий, コメント, 备注, 備註, 笔记, 内容`),
  start: names(`
    started at, start, started, begin, timestamp, date time, datetime, clock in, time in, start date and time, start datetime, beginn, from, von, de, début, inicio, início, inizio, начало,
    开始, 開始, 开始日期和时间, 시작`),
  end: names(`
    ended at, end, ended, finish, finished, clock out, time out, end date and time, end datetime, stop, ende, to, bis, à, fin, fim, fine, конец, 结束, 結束, 終了,
    结束日期和时间, 종료`),
  date: names('date, day, datum, fecha, data, дата, 日期, 日付, 날짜, spent date, work date'),
  start_date: names(`
    start date, startdatum, date de début, fecha de inicio, fecha inicio, data de início, data início, data di inizio, data inizio,
    begindatum, data rozpoczęcia, дата начала, дата початку, 开始日期, 開始日期, 開始日, 시작 날짜, 시작일`),
  start_time: names(`
    start time, begin time, startzeit, heure de début, hora de inicio, hora inicio, hora de início, hora início, ora di inizio, ora inizio,
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
    duration, dauer, durée, duración, duração, durata, duur, czas trwania, длительность, продолжительность, тривалість, 期間, 所要時間,
    持续时间, 持續時間, 时长, 時長, 用时, 用時, 学习时长, 學習時長, 시간, 기간, time spent, time tracked, tracked time, total time, total duration,
    elapsed, elapsed time, length, dauer gesamt, temps passé, tiempo empleado, tempo gasto`),
  email: names(`
    email, e-mail, user email, e-mail-adresse, adresse e-mail, correo electrónico, correo, электронная почта, メール, 邮箱, 电子邮件,
    電子郵件, 이메일, user, user name, username, member, benutzer, benutzername, utilisateur, usuario, usuário, do utilizador,
    utilizador, utente, gebruiker, użytkownik, пользователь, користувач, ユーザー, 用户, 使用者, 成员, 사용자, employee`),
  tags: names(`
    tags, tag, schlagwörter, étiquettes, etiquetas, etiquette, etichette, теги, теґи, метки, タグ, 标签, 標籤, 태그, labels, label`),
};

/** Columns for a duration if the header names its unit, and for a time of day otherwise. */
export const timeNames = names(
  'time, zeit, temps, tiempo, tempo, tijd, czas, время, час, 时间, 時間, 時刻, uhrzeit, heure, hora, ora, godzina, 시각',
);
/** Columns for a duration that are named by its unit only. The singular, as in *hora*, is a time of day. */
export const unitNames = names(`
  hours, hrs, stunden, heures, horas, ore, uren, godziny, часы, години, 小时, 小時, 小时数, 小時數, minutes, mins, min, minuten, minutos,
  minuti, minuty, минуты, хвилини, 分钟, 分鐘, 分钟数, 分鐘數, seconds, secs, sec, sekunden, secondes, segundos, secondi, секунды, 秒, 秒数, 秒數,
  milliseconds, ms, 毫秒`);

/** Additional columns of an export of this service. */
export const ownNames: Record<OwnField, string> = {
  project_id: 'project id',
  user_id: 'user id',
  source: 'source',
  time_zone: 'time zone',
  auto_stopped: 'auto stopped',
};
