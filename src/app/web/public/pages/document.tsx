import { data } from 'react-router';

/** No document can exist before the library takes them in, so every address of one is unknown. */
export function loader() {
  throw data(null, { status: 404 });
}
export const clientLoader = loader;

export default function Document() {
  return null;
}
