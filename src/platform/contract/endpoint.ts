import type * as z from 'zod/mini';

/** Who may call: anybody, a logged-in user, or holders of a named permission. */
export type Access = 'public' | 'user' | `permission:${string}`;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1. Path parameters are written `:name` and named in `input`. */
  path: `/${string}`;
  access: Access;
  /** The permission for records of other users, where `access` lets users change their own. */
  accessToOthers?: `permission:${string}`;
  /** Stays reachable while the site is closed or asks everybody to log in: what the way in needs. */
  bypassesSiteAccess?: true;
  /** One line for the API documentation. */
  summary: string;
  /** Path, query and body together: one flat object, one schema. */
  input: z.ZodMiniObject;
  output: z.ZodMiniType;
  /** Read-only fields of the entity that a client may send back; they are dropped. */
  ignored?: readonly string[];
  /** A multipart request with one file in the field `file`. */
  upload?: { maxBytes: number };
  /** The answer is a file of this name, not JSON. */
  download?: { type: string; name: string };
};

export const endpoint = <const E extends Endpoint>(spec: E): E => spec;

/** What a caller must supply. */
export type InputOf<E extends Endpoint> = z.input<E['input']>;
/** What a handler receives: parsed, with defaults applied. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
export type OutputOf<E extends Endpoint> = z.output<E['output']>;
/** What a handler may return: unlisted columns are stripped by `output`. */
export type ResultOf<E extends Endpoint> = z.input<E['output']>;

export const permissionOf = (access: Access): string | null =>
  access.startsWith('permission:') ? access.slice('permission:'.length) : null;

/** The permission that a call for records of any user needs; null when none is needed. */
export const permissionForOthers = ({ access, accessToOthers }: Endpoint): string | null =>
  permissionOf(accessToOthers ?? access);

/** Where the rows of a list are had as a file for spreadsheets. */
export const csvPathOf = ({ path }: Endpoint): `/${string}` => `${path}.csv`;
