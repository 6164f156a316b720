import { createContext, useContext } from 'react';

/** Nonce of the content security policy while the server renders; empty in the browser. */
export const NonceContext = createContext('');

/** Reads the property: browsers hide the value of the attribute from scripts. */
export const pageNonce = () => document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

export function useNonce() {
  const renderedNonce = useContext(NonceContext);
  return renderedNonce || (typeof document === 'undefined' ? '' : pageNonce());
}
