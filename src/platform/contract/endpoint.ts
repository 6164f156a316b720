import type * as z from 'zod/mini';

/** Who may call an endpoint: everyone, logged-in users, or holders of a permission. */
export type Access = 'public' | 'user' | `permission:${string}`;

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1. Path parameters are written `:name` and named in `input`. */
  path: `/${string}`;
  access: Access;
  /** Permission for records of other users, where `access` allows users to change their own. */
  accessToOthers?: `permission:${string}`;
  /** Reachable while the site is closed or for members only, because the login needs it. */
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
  /** All visitors get the same response, which the server reuses until the data changes. */
  isSameForVisitors?: true;
  /** The response is a file with this name, not JSON. */
  download?: { type: string; name: string };
};

export const endpoint = <const E extends Endpoint>(spec: E): E => spec;

/** Input that a caller supplies. */
export type InputOf<E extends Endpoint> = z.input<E['input']>;
/** Input that a handler receives: parsed, with defaults applied. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;
export type OutputOf<E extends Endpoint> = z.output<E['output']>;
/** Value that a handler returns; `output` strips undeclared properties. */
export type ResultOf<E extends Endpoint> = z.input<E['output']>;

export const permissionOf = (access: Access): string | null =>
  access.startsWith('permission:') ? access.slice('permission:'.length) : null;

/** Permission that a call for records of any user requires; null when it requires none. */
export const permissionForOthers = ({ access, accessToOthers }: Endpoint): string | null =>
  permissionOf(accessToOthers ?? access);

export const csvPathOf = ({ path }: Endpoint): `/${string}` => `${path}.csv`;
