import * as z from 'zod/mini';

const email = z.email();

/** As the server judges it. */
export const isEmail = (text: string) => z.safeParse(email, text.trim()).success;
