import { z } from 'zod';

export const confirmEmailBody = z.object({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: 'From the link in the mail.', example: 'pUq4c1vTn0xgYv3mB7k2dQ' }),
});
