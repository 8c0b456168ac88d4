import { z } from 'zod';
import { type Operation, operation } from '../../http/operation.ts';
import { idParams } from '../../http/validation/fields.ts';
import type { ProjectAccessCheck } from '../projects/project-access.ts';
import type { ImageService } from './image-service.ts';

const image = z.object({
  image_url: z.string().meta({
    description: 'The path of the picture, which anyone may read; the same as `image` of the project.',
    example: '/uploads/projects/5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp',
  }),
  filename: z.string().meta({
    description: 'Its name, made by the service.',
    example: '5a1e0c6e-4f0b-4c57-9a51-0d4f8f1f2a77.webp',
  }),
});

const maxBytes = 5 * 1024 * 1024;

export type ImageRoutesOptions = { service: ImageService; access: ProjectAccessCheck };

export function createImageRoutes({ service, access }: ImageRoutesOptions): Operation[] {
  const base = {
    tag: 'Projects',
    path: '/api/projects/:id/image',
    access: 'user',
    params: idParams,
    errors: ['PERMISSION_DENIED', 'RESOURCE_NOT_FOUND'],
  } as const;

  return [
    operation({
      ...base,
      method: 'post',
      id: 'uploadProjectImage',
      scope: 'projects:write',
      summary: 'Upload the cover image of a project',
      description:
        'A JPEG, PNG, GIF or WebP file of at most 5 MB, 50 megapixels and 500 frames. It is stored without metadata, and replaces the former one.',
      upload: { field: 'image', maxBytes },
      cost: 'picture',
      guard: ({ actor, params }) => access.requireManage(actor, params.id),
      data: image,
      message: 'image_uploaded',
      handler: async ({ actor, params, file }) => {
        if (file === undefined) throw new Error('upload without a file');
        return { data: await service.set(actor, params.id, file.path) };
      },
    }),

    operation({
      ...base,
      method: 'delete',
      id: 'deleteProjectImage',
      scope: 'projects:write',
      summary: 'Take the cover image of a project away',
      description: 'Without one it changes nothing.',
      message: 'image_deleted',
      handler: async ({ actor, params }) => {
        await service.remove(actor, params.id);
        return {};
      },
    }),
  ];
}
