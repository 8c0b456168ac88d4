import { z } from 'zod';
import { t } from '../../../db/sql/sql.ts';
import { issue, text } from '../../../http/fields.ts';
import { day } from '../../../http/time-fields.ts';
import { projectCategories, ratingStandards, targetScopes } from './project-values.ts';

export const minProjectNameLength = 2;
const name = text({ min: minProjectNameLength, max: 50 }).meta({ example: 'Linear algebra' });
const description = text({ max: 500, multiline: true })
  .nullable()
  .transform((value) => value ?? '')
  .meta({
    override: { type: ['string', 'null'], maxLength: 500 },
    description: 'Null clears the description.',
    example: 'Vectors, matrices, proofs',
  });
const category = z.enum(projectCategories);
const targetHours = z
  .number()
  .min(0)
  .max(100_000)
  .superRefine((value, context) => {
    if (value > 0 && value < 0.01) context.addIssue(issue('too_small', { minimum: 0.01 }));
  })
  .nullable()
  .transform((value) => Math.round((value ?? 0) * 100) / 100)
  .meta({
    override: { type: ['number', 'null'], minimum: 0, maximum: 100_000 },
    description: 'Hours, rounded to two decimals, at least 0.01; 0 or null for no target.',
    example: 40,
  });
const ratingStandard = z.enum(ratingStandards);
const dueDate = day
  .nullable()
  .meta({ description: 'The day by which the target should be reached; null for none.', example: '2026-06-30' });
const weeklyGoalHours = z
  .number()
  .min(0.01)
  .max(10_000)
  .transform((value) => Math.round(value * 100) / 100)
  .nullable()
  .meta({
    override: { type: ['number', 'null'], minimum: 0.01, maximum: 10_000 },
    description: 'The target hours per week, rounded to two decimals; null for none.',
    example: 5,
  });
const targetScope = z.enum(targetScopes).meta({
  id: 'TargetScope',
  description: '`shared`: the hours of all users count towards one target; `each`: every assigned user is to reach it.',
  example: 'shared',
});

/**
 * The fields of a project that are stored and shown as they were sent: the column, the field of a response, and those of the
 * bodies that create and change a project. All statements, schemas and responses take them from here.
 */
const fields = {
  name: {
    column: t.text,
    shown: z.string().meta({ example: 'Linear algebra' }),
    create: name,
    change: name.optional(),
  },
  description: {
    column: t.text,
    shown: z.string().meta({ example: 'Vectors, matrices, proofs' }),
    create: description.default(''),
    change: description.optional(),
  },
  category: {
    column: t.oneOf(projectCategories),
    shown: category,
    create: category.default('other'),
    change: category.optional(),
  },
  target_hours: {
    column: t.numeric,
    shown: z.number().meta({ example: 40 }),
    create: targetHours.default(0),
    change: targetHours.optional(),
  },
  rating_standard: {
    column: t.oneOf(ratingStandards),
    shown: ratingStandard,
    create: ratingStandard.default('normal'),
    change: ratingStandard.optional(),
  },
  due_date: {
    column: t.date.orNull,
    shown: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day by which the target should be reached.', example: '2026-06-30' }),
    create: dueDate.default(null),
    change: dueDate.optional(),
  },
  weekly_goal_hours: {
    column: t.numeric.orNull,
    shown: z.number().nullable().meta({ description: 'The target hours per week.', example: 5 }),
    create: weeklyGoalHours.default(null),
    change: weeklyGoalHours.optional(),
  },
  target_scope: {
    column: t.oneOf(targetScopes),
    shown: targetScope,
    create: targetScope.default('shared'),
    change: targetScope.optional(),
  },
};

type Fields = typeof fields;
type Name = keyof Fields;
const names = Object.keys(fields) as Name[]; // the keys of this object

function eachOf<Part extends keyof Fields[Name]>(part: Part) {
  return Object.fromEntries(names.map((name) => [name, fields[name][part]])) as { [N in Name]: Fields[N][Part] };
}

export const fieldColumns = eachOf('column');
export const shownFields = eachOf('shown');
export const fieldsOfNew = eachOf('create');
export const changedFields = eachOf('change');

/** These fields of a row, for its response. */
export function fieldsOf<Row extends Record<Name, unknown>>(row: Row): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}
