import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, vi } from 'vitest';
import { Providers } from '#app/web/providers.tsx';
import { type User, user as userShape } from '#modules/account/account.contract.ts';
import { myPermissionsApi, type Permission } from '#modules/account/permission.contract.ts';
import { clearSession, setPermissions, useSession } from '#modules/account/web/session-store.ts';
import { type Category, categoryApi } from '#modules/category/category.contract.ts';
import { type PublicSettings, settingsApi } from '#modules/settings/settings.contract.ts';
import { FALLBACK_SETTINGS } from '#modules/settings/web/use-settings.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { useToasts } from '#platform/web/toast.ts';
import { ApiReplies, type ApiReply, replyTo } from './api-replies.ts';

/** A user with zero values for the fields that a test does not set. */
export const testUser = (values: Partial<User> = {}): User =>
  fillZeroValues(userShape, {
    id: 7,
    username: '读者',
    email: 'reader@mail.example',
    created_at: '2026-03-01T08:00:00.000Z',
    ...values,
  });

type SettingChanges = { [Group in keyof PublicSettings]?: Partial<PublicSettings[Group]> };

/** Settings with zero values for those that a test does not set. */
function completeSettings(changes: SettingChanges): PublicSettings {
  const groups = Object.entries(FALLBACK_SETTINGS).map(([group, values]) => [
    group,
    { ...values, ...changes[group as keyof SettingChanges] },
  ]);
  const settings = Object.fromEntries(groups) as PublicSettings;
  settings.system.timezone ||= 'Asia/Shanghai';
  return settings;
}

type Options = {
  /** The URL path of the page. */
  path?: string;
  /** The logged-in user; without it the page is opened by a visitor. */
  user?: User;
  permissions?: Permission[];
  settings?: SettingChanges;
  categories?: Category[];
  replies?: ApiReply[];
};

/** Ignores a warning of React, because jsdom does not know the element `search`. */
const isRelevantError = ([text, tag]: unknown[]) =>
  !(tag === 'search' && String(text).startsWith('The tag <%s> is unrecognized in this browser'));

let collectProblems: () => unknown[] = () => [];

/**
 * Renders a component within the providers of the site and a router, for a visitor or a user. `replies` answer API calls;
 * a call without a reply or an error on the console fails the test.
 */
export function renderPage(page: ReactNode, options: Options = {}) {
  const { path = '/', user, permissions = [], settings = {}, categories = [] } = options;
  const site = completeSettings(settings);
  const api = new ApiReplies();
  api.set(
    // The providers call these endpoints every minute.
    replyTo(settingsApi.settings, site),
    replyTo(categoryApi.list, { total: categories.length, category: categories }),
    replyTo(myPermissionsApi.mine, { permission: permissions }),
    ...(options.replies ?? []),
  );
  vi.stubGlobal('fetch', api.fetch);
  const consoleErrors = vi.spyOn(console, 'error').mockImplementation(() => {});
  collectProblems = () => [...api.violations, ...consoleErrors.mock.calls.filter(isRelevantError)];
  if (user) {
    useSession.setState({ user, token: 'token of the test' });
    setPermissions(permissions);
  }
  const initial = { settings: site, category: categories };
  const element = <Providers initial={initial}>{page}</Providers>;
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  const userInput = userEvent.setup({ delay: null });
  return {
    /** Types, clicks and presses keys as a user does. */
    userInput,
    /** Replaces the text of a field by pasting, which takes less time than typing. */
    fill: async (field: HTMLElement, text: string) => {
      await userInput.clear(field);
      if (text) await userInput.paste(text);
    },
    api,
    /** The current path and query. */
    address: () => router.state.location.pathname + router.state.location.search,
  };
}

/** Removes the page and its stored state. Fails the test after calls without a reply or console errors. */
export function cleanUpPage() {
  cleanup();
  const problems = collectProblems();
  collectProblems = () => [];
  clearSession();
  useToasts.setState({ toasts: [] });
  sessionStorage.clear();
  vi.restoreAllMocks();
  expect(problems).toEqual([]);
}
