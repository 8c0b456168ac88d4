import { BookOpen, Hammer, type LucideIcon, Music, Shapes } from 'lucide-react';
import { cx } from '../../lib/cx.ts';
import styles from './glyph.module.css';
import type { Project } from './project-queries.ts';

const icons: Readonly<Record<Project['category'], LucideIcon>> = {
  ...{ academic: BookOpen, skill: Hammer, hobby: Music, other: Shapes },
};

/** The mark of a project: the icon of its category in its colour. */
export function Glyph({ project, isLarge = false }: { project: Project; isLarge?: boolean }) {
  const Icon = icons[project.category];
  return (
    <span className={cx(styles.glyph, isLarge && styles.large)} data-hue={project.color}>
      <Icon size={isLarge ? 24 : 18} strokeWidth={1.75} aria-hidden="true" />
    </span>
  );
}
