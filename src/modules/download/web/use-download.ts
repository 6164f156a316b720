import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useAction } from '#platform/web/use-action.ts';
import { downloadApi } from '../download.contract.ts';
import { startDownload } from './start-download.ts';

/** Downloads a document, and buys it first if `cost` is greater than 0. Returns whether it succeeded. */
export function useDownload(id: number, onBought?: () => void) {
  const get = useAction(downloadApi.get, {
    success: (_, { price = 0 }) => (price > 0 ? '购买成功，已开始下载' : '已开始下载'),
    failure: '下载失败',
    invalidates: [downloadApi.offer],
    // Price, balance or limits may have changed.
    invalidatesAfterFailure: true,
    onDone: ({ url }, { price = 0 }) => {
      startDownload(url);
      if (price === 0) return;
      void refreshUserInBackground();
      onBought?.();
    },
  });
  return {
    download: (cost: number) => get.run({ id, ...(cost > 0 && { price: cost }) }),
    pending: get.isPending,
  };
}
