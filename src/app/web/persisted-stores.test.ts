import { beforeAll, expect, it, vi } from 'vitest';

/** The local storage before the reload. */
const savedStates: Record<string, object> = {
  'douku:user': { user: { id: 7, username: '读者' }, token: 'kept', permissions: [], pages: [] },
  'douku:category': {
    list: [{ id: 3, parent_id: 0, title: '法律', cover: '', doc_count: 2, enable: true }],
  },
  'douku:setting': { settings: { system: { sitename: '云上书房' } } },
  'douku:device': { isMobile: true, isPad: false, isPC: false, width: 390, theme: 'dark' },
};

beforeAll(() => {
  const localStorage = {
    getItem: (key: string) => (key in savedStates ? JSON.stringify({ state: savedStates[key], version: 0 }) : null),
    setItem: vi.fn(),
    removeItem: vi.fn(),
  };
  vi.stubGlobal('window', { localStorage });
});

it('the user state is read from the local storage after a reload', async () => {
  const { useSession, getSessionUser } = await import('#modules/account/web/session-store.ts');
  expect(useSession.getState()).toMatchObject({ token: 'kept', user: { username: '读者' } });
  expect(getSessionUser()?.id).toBe(7);
});

it('the category state is read from the local storage after a reload, with map and tree', async () => {
  const { useCategoryStore } = await import('#modules/category/web/use-categories.ts');
  const { list, map, tree } = useCategoryStore.getState();
  expect([list.length, map[3]?.title, tree[0]?.id]).toEqual([1, '法律', 3]);
});

it('the setting state is read from the local storage after a reload', async () => {
  const { useSettingsStore } = await import('#modules/settings/web/use-settings.ts');
  expect(useSettingsStore.getState().settings?.system.sitename).toBe('云上书房');
});

it('the device state is read from the local storage after a reload', async () => {
  const { useDevice } = await import('#platform/web/device.ts');
  expect(useDevice.getState()).toMatchObject(savedStates['douku:device'] ?? {});
});
