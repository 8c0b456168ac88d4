import type { Catalogue } from './catalogue.ts';

export const imageMessages = {
  image_type: { en: 'must be a JPEG, PNG, GIF or WebP picture', zh: '必须是 JPEG、PNG、GIF 或 WebP 图片' },
  image_broken: {
    en: 'is damaged or incomplete',
    zh: '图片已损坏或不完整',
  },
  image_too_many_pixels: {
    en: 'must have at most {megapixels} megapixels in all frames together',
    zh: '所有帧合计不能超过 {megapixels} 百万像素',
  },
  image_grows: {
    en: 'needs more than {megabytes} MB in its own format, also with fewer pixels',
    zh: '以原格式保存（缩小后）仍超过 {megabytes} MB',
  },
  image_too_many_frames: { en: 'must have at most {frames} frames', zh: '动画不能超过 {frames} 帧' },
  image_too_costly: {
    en: 'takes too long to decode; save it again with fewer frames, scans or pixels',
    zh: '解码耗时过长，请减少帧数、扫描次数或像素后重新保存',
  },
  image_uploaded: { en: 'The cover image was stored.', zh: '封面图片上传成功。' },
  image_deleted: { en: 'The cover image was deleted.', zh: '封面图片已删除。' },
  pictures_full: {
    en: 'The pictures of these projects need more than {megabytes} MB. Delete some of them; those of projects in the trash are deleted after {days} days.',
    zh: '项目图片总量超过 {megabytes} MB。请删除部分图片；回收站中项目的图片会在 {days} 天后删除。',
  },
} as const satisfies Catalogue;
