import type { Page } from 'playwright-core';

/** Waits for an element with exactly this text, such as the toast after a click. */
export const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

export const findDialogField = (page: Page, label: string) =>
  page.getByRole('dialog').getByLabel(label, { exact: true });
