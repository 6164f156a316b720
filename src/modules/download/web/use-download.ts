import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { downloadApi } from '../download.contract.ts';
import { startDownload } from './start-download.ts';

/** Downloads a document, and buys it first if `cost` is greater than 0. Returns whether it succeeded. */
export function useDownload(id: number, onBought?: () => void) {
  const client = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const download = async (cost: number): Promise<boolean> => {
    setIsPending(true);
    try {
      const { url } = await callEndpoint(downloadApi.get, { id, ...(cost > 0 && { price: cost }) });
      startDownload(url);
      toast.success(cost > 0 ? '购买成功，已开始下载' : '已开始下载');
      if (cost > 0) {
        void refreshUserInBackground();
        onBought?.();
      }
      return true;
    } catch (error) {
      toast.failure(error, '下载失败');
      return false;
    } finally {
      // Price, balance or limits may have changed.
      void client.invalidateQueries({ queryKey: queryKeyOf(downloadApi.offer) });
      setIsPending(false);
    }
  };
  return { download, pending: isPending };
}
