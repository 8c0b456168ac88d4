import { useMemo } from 'react';
import { collatorOf } from '../../lib/collator.ts';
import { cx } from '../../lib/cx.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import styles from './assign.module.css';
import { type Project, type Student, useBoardProjects, useStudents } from './board-queries.ts';
import {
  defaults,
  Nothing,
  ProjectFilters,
  StudentFilters,
  useOwners,
  useShownProjects,
  useShownStudents,
} from './filters.tsx';
import { GridView } from './grid-view.tsx';
import { assignMessages } from './messages.ts';
import { type PaneProps, ProjectPane, StudentPane } from './panes.tsx';
import { StagedBar } from './staged-bar.tsx';
import { useBoard } from './use-board.ts';

/** Adds students to picked projects or removes them; changes are staged until applied. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AssignPage() {
  const t = useTexts(assignMessages);
  const { filter, change } = useUrlFilter(defaults);
  const { locale } = useSettings();
  const projectList = useBoardProjects();
  const studentList = useStudents();
  const { projects, students } = useMemo(() => {
    const { compare } = collatorOf(locale);
    return {
      projects: [...(projectList.data ?? [])].sort((a, b) => compare(a.name, b.name)),
      students: [...(studentList.data ?? [])].sort((a, b) => compare(a.display_name, b.display_name)),
    };
  }, [projectList.data, studentList.data, locale]);
  const board = useBoard(projects, students);
  const isReady = projectList.data !== undefined && studentList.data !== undefined;
  const isAtStudents = filter.step === 'students';
  const isGrid = filter.view === 'grid';
  const pane = { board, filter, change };
  const view = (
    <ViewSwitch
      label={t('view')}
      options={[
        ['list', t('list')],
        ['grid', t('grid')],
      ]}
      value={isGrid ? 'grid' : 'list'}
      onChange={(id) => change({ view: id })}
    />
  );
  return (
    <Page title={t('title')} actions={view}>
      <Loading of={[projectList, studentList]} lines={8} />
      {isReady && (
        <div className={cx(styles.board, isAtStudents && styles.atStudents)}>
          {isGrid ? (
            <GridPane {...pane} projects={projects} students={students} />
          ) : (
            <>
              <ProjectPane {...pane} projects={projects} students={students} />
              <StudentPane {...pane} students={students} />
              <div className={styles.step}>
                <Button onPress={() => change({ step: isAtStudents ? 'projects' : 'students' })} wide>
                  {t(isAtStudents ? 'back' : 'next')}
                </Button>
              </div>
            </>
          )}
          <StagedBar board={board} projects={projects} students={students} isGrid={isGrid} />
        </div>
      )}
    </Page>
  );
}

type GridPaneProps = PaneProps & { projects: readonly Project[]; students: readonly Student[] };

function GridPane({ board, filter, change, projects, students }: GridPaneProps) {
  const shownProjects = useShownProjects(projects, filter, board.pickedIds, useOwners(students));
  const shownStudents = useShownStudents(students, filter);
  return (
    <>
      <ProjectFilters filter={filter} change={change} />
      <StudentFilters filter={filter} change={change} />
      <GridView
        board={board}
        projects={shownProjects}
        students={shownStudents}
        empty={
          <Nothing
            of={shownProjects.length === 0 ? ['projects', 'students'] : ['students', 'projects']}
            filter={filter}
            change={change}
          />
        }
      />
    </>
  );
}
