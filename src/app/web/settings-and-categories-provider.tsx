import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useRefetchPermissions } from '#modules/account/web/use-refetch-permissions.ts';
import { categoryApi } from '#modules/category/category.contract.ts';
import { type CategoryItem, indexCategories } from '#modules/category/web/indexed-categories.ts';
import { CATEGORY_INPUT, CategoriesContext, useCategoryStore } from '#modules/category/web/use-categories.ts';
import { useSiteRestriction } from '#modules/role/web/site-access.ts';
import { type PublicSettings, settingsApi } from '#modules/settings/settings.contract.ts';
import { FALLBACK_SETTINGS, SettingsContext, useSettingsStore } from '#modules/settings/web/use-settings.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { TimeZoneContext } from '#platform/web/time-zone-context.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';

const REFRESH_INTERVAL_MS = 60_000;

/** Data of every page. The categories are null if the site is restricted for the caller. */
export type SiteData = { settings: PublicSettings; category: CategoryItem[] | null };

const NO_CATEGORIES = indexCategories([]);

/** Provides settings and categories: first those of the loader, then refetched every minute and stored locally. */
export function SettingsAndCategoriesProvider({ initial, children }: { initial?: SiteData; children: ReactNode }) {
  useRefetchPermissions(REFRESH_INTERVAL_MS);
  const storedSettings = useSettingsStore(({ settings }) => settings);
  const storedCategories = useCategoryStore();
  const { data: settings } = useQuery({
    queryKey: queryKeyOf(settingsApi.settings, {}),
    queryFn: (context) => pollEndpoint(settingsApi.settings, {}, context),
    initialData: initial?.settings,
    staleTime: REFRESH_INTERVAL_MS,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  const isRestricted = useSiteRestriction(settings?.security) !== null;
  const isHydrated = useHydrated();
  const { data: list } = useQuery({
    queryKey: queryKeyOf(categoryApi.list, CATEGORY_INPUT),
    queryFn: async (context) => (await pollEndpoint(categoryApi.list, CATEGORY_INPUT, context)).category,
    initialData: initial?.category ?? undefined,
    staleTime: REFRESH_INTERVAL_MS,
    refetchInterval: REFRESH_INTERVAL_MS,
    // The call would be rejected; after a login the query is enabled and fetches immediately.
    enabled: !isRestricted && (isHydrated || initial?.category !== null),
  });
  const categories = useMemo(() => (list ? indexCategories(list) : null), [list]);

  useEffect(() => {
    if (settings) useSettingsStore.setState({ settings });
  }, [settings]);
  useEffect(() => {
    if (categories) useCategoryStore.setState(categories);
  }, [categories]);

  const currentSettings = settings ?? storedSettings ?? FALLBACK_SETTINGS;
  return (
    <SettingsContext value={currentSettings}>
      <TimeZoneContext value={currentSettings.system.timezone}>
        <CategoriesContext value={isRestricted ? NO_CATEGORIES : (categories ?? storedCategories)}>
          {children}
        </CategoriesContext>
      </TimeZoneContext>
    </SettingsContext>
  );
}
