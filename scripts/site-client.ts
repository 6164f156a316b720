import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentStatus } from '#modules/document/document.contract.ts';
import { ADMIN_PASSWORD } from './killable-server.ts';

export type Progress = {
  id: number;
  status: number;
  pages: number;
  ready_pages: number;
  reason: string;
};
type CreateResponse = { document: { id: number }[] };

/** An API client that is logged in as administrator. */
export async function siteClient(api: string) {
  const json = { 'content-type': 'application/json' };
  const loginResponse = await fetch(`${api}/user/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  });
  const { token, message } = (await loginResponse.json()) as { token?: string; message?: string };
  if (!token) throw new Error(`login failed: ${message}`);
  const bearer = { authorization: `Bearer ${token}` };
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(`${api}${path}`, {
      ...init,
      headers: { ...bearer, ...init.headers },
    });
    const body = (await response.json()) as T & { message?: string };
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.message ?? ''}`);
    return body;
  };
  return {
    bearer,
    request,
    /** Uploads a file and returns the id of its attachment. */
    async upload(name: string, bytes: Buffer): Promise<number> {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), name);
      const { data } = await request<{ data: { id: number } }>('/upload/document', {
        method: 'POST',
        body: form,
      });
      return data.id;
    },
    async create(attachment_id: number, title = `文档 ${randomBytes(4).toString('hex')}`): Promise<number> {
      const body = JSON.stringify({ category_id: [1], document: [{ title, attachment_id }] });
      const { document } = await request<CreateResponse>('/document', { method: 'POST', headers: json, body });
      return document[0]?.id ?? 0;
    },
    async progress(id: number): Promise<Progress> {
      const { document } = await request<{ document: Progress[] }>(`/document/progress?id=${id}`);
      if (!document[0]) throw new Error(`document ${id} does not exist`);
      return document[0];
    },
    /** Polls the progress until the condition holds; returns the milliseconds. */
    async waitUntil(id: number, condition: (progress: Progress) => boolean, limitMs = 300_000): Promise<number> {
      const startedAt = performance.now();
      while (performance.now() - startedAt < limitMs) {
        if (condition(await this.progress(id))) return performance.now() - startedAt;
        // Longer intervals for slow conversions, because each request uses processor time that the bench measures.
        await sleep(Math.min(500, 50 + (performance.now() - startedAt) / 50));
      }
      throw new Error(`document ${id}: ${JSON.stringify(await this.progress(id))}`);
    },
    /** Searches until the results contain the document; returns the milliseconds. */
    async waitUntilFound(id: number, wd: string, limitMs = 60_000): Promise<number> {
      const startedAt = performance.now();
      while (performance.now() - startedAt < limitMs) {
        const { document } = await request<{ document: { id: number }[] | null }>(
          `/document/search?wd=${encodeURIComponent(wd)}&page=1&size=10`,
        );
        if (document?.some((row) => row.id === id)) return performance.now() - startedAt;
        await sleep(50);
      }
      throw new Error(`document ${id} is not found by ${wd}`);
    },
  };
}

export const isReadable = ({ status, ready_pages }: Progress) => status === documentStatus.converted && ready_pages > 0;
export const isComplete = ({ status, pages, ready_pages }: Progress) =>
  status === documentStatus.failed || (status === documentStatus.converted && pages > 0 && ready_pages >= pages);
