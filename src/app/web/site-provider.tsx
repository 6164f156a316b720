import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useRefetchPermissions } from '#modules/account/web/use-refetch-permissions.ts';
import { categoryApi } from '#modules/category/category.contract.ts';
import { type CategoryItem, indexCategories } from '#modules/category/web/category-tree.ts';
import { CATEGORY_INPUT, CategoriesContext, useCategoryStore } from '#modules/category/web/use-categories.ts';
import { useSiteRestriction } from '#modules/role/web/site-access.ts';
import { type PublicSettings, settingsApi } from '#modules/settings/settings.contract.ts';
import { FALLBACK_SETTINGS, SettingsContext, useSettingsStore } from '#modules/settings/web/use-settings.ts';
import { keyOf, poll } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { TimeZoneContext } from '#platform/web/time-zone.ts';

const REFRESH_INTERVAL = 60_000;

/** What every page knows of the site; no categories where it is not open to the one who asks. */
export type SiteData = { settings: PublicSettings; category: CategoryItem[] | null };

const NO_CATEGORIES = indexCategories([]);

/** Begins with what the page came with, asks again every minute, and writes it down for the next visit. */
export function SiteProvider({ initial, children }: { initial?: SiteData; children: ReactNode }) {
  useRefetchPermissions(REFRESH_INTERVAL);
  const kept = useSettingsStore(({ settings }) => settings);
  const keptCategories = useCategoryStore();
  const { data: settings } = useQuery({
    queryKey: keyOf(settingsApi.settings, {}),
    queryFn: (context) => poll(settingsApi.settings, {}, context),
    initialData: initial?.settings,
    staleTime: REFRESH_INTERVAL,
    refetchInterval: REFRESH_INTERVAL,
  });
  const isOutside = useSiteRestriction(settings?.security) !== null;
  const hydrated = useHydrated();
  const { data: list } = useQuery({
    queryKey: keyOf(categoryApi.list, CATEGORY_INPUT),
    queryFn: async (context) => (await poll(categoryApi.list, CATEGORY_INPUT, context)).category,
    initialData: initial?.category ?? undefined,
    staleTime: REFRESH_INTERVAL,
    refetchInterval: REFRESH_INTERVAL,
    // Asking on would be refused every minute; whoever logs in is given them at once.
    enabled: !isOutside && (hydrated || initial?.category !== null),
  });
  const categories = useMemo(() => (list ? indexCategories(list) : null), [list]);

  useEffect(() => {
    if (settings) useSettingsStore.setState({ settings });
  }, [settings]);
  useEffect(() => {
    if (categories) useCategoryStore.setState(categories);
  }, [categories]);

  const known = settings ?? kept ?? FALLBACK_SETTINGS;
  return (
    <SettingsContext value={known}>
      <TimeZoneContext value={known.system.timezone}>
        <CategoriesContext value={isOutside ? NO_CATEGORIES : (categories ?? keptCategories)}>
          {children}
        </CategoriesContext>
      </TimeZoneContext>
    </SettingsContext>
  );
}
