import { createContext, useContext } from 'react';

/** Nonce of the content security policy while the server renders; empty in the browser. */
export const NonceContext = createContext('');

/** The page's nonce as a script sees it: browsers hide the attribute but keep the property. */
export const pageNonce = () => document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

export function useNonce() {
  const rendered = useContext(NonceContext);
  return rendered || (typeof document === 'undefined' ? '' : pageNonce());
}
