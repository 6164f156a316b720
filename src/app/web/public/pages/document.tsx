import { data } from 'react-router';

/** No document can exist before the library takes them in, so every address of one is unknown. */
const load = () => {
  throw data(null, { status: 404 });
};
export const loader = load;
export const clientLoader = load;

export default function Document() {
  return null;
}
