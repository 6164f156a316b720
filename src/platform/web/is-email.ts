import * as z from 'zod/mini';

const email = z.email();

/** Uses the same rule as the server. */
export const isEmail = (text: string) => z.safeParse(email, text.trim()).success;
