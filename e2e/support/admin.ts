import type { Page } from 'playwright-core';

export const toastOf = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

export const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
