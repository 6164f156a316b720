import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, vi } from 'vitest';
import { Providers } from '#app/web/providers.tsx';
import { type User, user as userShape } from '#modules/account/account.contract.ts';
import { myPermissionsApi, type Permission } from '#modules/account/permission.contract.ts';
import { clearSession, setPermissions, useSession } from '#modules/account/web/session.ts';
import { type Category, categoryApi } from '#modules/category/category.contract.ts';
import { type PublicSettings, settingsApi } from '#modules/settings/settings.contract.ts';
import { FALLBACK_SETTINGS } from '#modules/settings/web/use-settings.ts';
import { fillZero } from '#platform/web/fill-zero.ts';
import { useToasts } from '#platform/web/toast.ts';
import { ApiReplies, type ApiReply, on } from './api-replies.ts';

/** The account of a test, with zero values for what the test does not name. */
export const testUser = (values: Partial<User> = {}): User =>
  fillZero(userShape, {
    id: 7,
    username: '读者',
    email: 'reader@mail.example',
    created_at: '2026-03-01T08:00:00.000Z',
    ...values,
  });

type Settings = { [Group in keyof PublicSettings]?: Partial<PublicSettings[Group]> };

/** The settings of a site with the zero values replaced that a test names. */
function settingsOf(changes: Settings): PublicSettings {
  const groups = Object.entries(FALLBACK_SETTINGS).map(([group, values]) => [
    group,
    { ...values, ...changes[group as keyof Settings] },
  ]);
  const settings = Object.fromEntries(groups) as PublicSettings;
  settings.system.timezone ||= 'Asia/Shanghai';
  return settings;
}

type Options = {
  /** The address that the page is opened at. */
  path?: string;
  /** The logged-in user; a visitor otherwise. */
  user?: User;
  permissions?: Permission[];
  settings?: Settings;
  categories?: Category[];
  replies?: ApiReply[];
};

/** jsdom does not have the element `search`. */
const isFault = ([text, tag]: unknown[]) =>
  !(tag === 'search' && String(text).startsWith('The tag <%s> is unrecognized in this browser'));

let faults: () => unknown[] = () => [];

/**
 * Renders a component within the providers of the site and a router, for a visitor or a user. Calls to
 * the API are answered by `replies`; a call without a reply fails the test, as does an error on the console.
 */
export function renderPage(page: ReactNode, options: Options = {}) {
  const { path = '/', user, permissions = [], settings = {}, categories = [] } = options;
  const site = settingsOf(settings);
  const api = new ApiReplies();
  api.set(
    // The providers call these again every minute.
    on(settingsApi.settings, site),
    on(categoryApi.list, { total: categories.length, category: categories }),
    on(myPermissionsApi.mine, { permission: permissions }),
    ...(options.replies ?? []),
  );
  vi.stubGlobal('fetch', api.fetch);
  const consoleErrors = vi.spyOn(console, 'error').mockImplementation(() => {});
  faults = () => [...api.faults, ...consoleErrors.mock.calls.filter(isFault)];
  if (user) {
    useSession.setState({ user, token: 'token of the test' });
    setPermissions(permissions);
  }
  const initial = { settings: site, category: categories };
  const element = <Providers initial={initial}>{page}</Providers>;
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  const hand = userEvent.setup({ delay: null });
  return {
    /** Types, clicks and presses keys as a user does. */
    hand,
    /** Replaces the text of a field by pasting, which takes less time than typing. */
    fill: async (field: HTMLElement, text: string) => {
      await hand.clear(field);
      if (text) await hand.paste(text);
    },
    api,
    /** The address of the page, with its query. */
    address: () => router.state.location.pathname + router.state.location.search,
  };
}

/** Removes the page and what it stored. Fails the test for calls without a reply and console errors. */
export function endPage() {
  cleanup();
  const problems = faults();
  faults = () => [];
  clearSession();
  useToasts.setState({ toasts: [] });
  vi.restoreAllMocks();
  expect(problems).toEqual([]);
}
