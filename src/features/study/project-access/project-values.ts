import { palette } from '../../../lib/palette.ts';

export const projectStatuses = ['active', 'completed', 'paused'] as const;

export const projectCategories = ['academic', 'skill', 'hobby', 'other'] as const;

export const ratingStandards = ['excellent', 'good', 'normal'] as const;

export const targetScopes = ['shared', 'each'] as const;

export const colors = palette.length;
