import { BookOpen, Hammer, type LucideIcon, Music, Shapes } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import styles from './glyph.module.css';
import type { Project } from './project-queries.ts';

const icons: Readonly<Record<Project['category'], LucideIcon>> = {
  academic: BookOpen,
  skill: Hammer,
  hobby: Music,
  other: Shapes,
};

type Size = { isLarge?: boolean };

/** The mark of a project: the icon of its category in its colour. */
export function Glyph({ project, isLarge = false }: { project: Project } & Size) {
  return <Tile icon={icons[project.category]} hue={project.color} isLarge={isLarge} />;
}

/** An icon on a tile of a colour. */
export function Tile({ icon: Icon, hue, isLarge = false }: { icon: LucideIcon; hue: number } & Size) {
  return (
    <span className={cx('square', styles.glyph, isLarge && styles.large)} data-hue={hue}>
      <Icon size={isLarge ? 24 : 18} strokeWidth={1.75} />
    </span>
  );
}
