export type { components, operations, paths } from './api.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ApiError, type ApiErrorCode, type FieldError, isApiError } from './errors.ts';
export { readEvents, type ServerEvent, type Topic } from './events.ts';
export { type KeptSignIn, memoryStore, type TokenStore, type Tokens } from './session.ts';
export { type ChangePage, readChanges } from './sync.ts';
export type { Answer, OptionsOf } from './types.ts';
export { verifyWebhook, type WebhookEvent } from './webhooks.ts';
