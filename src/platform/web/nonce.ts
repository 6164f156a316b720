import { createContext, useContext } from 'react';

/** Nonce of the content security policy while the server renders; empty in the browser. */
export const NonceContext = createContext('');
export const useNonce = () => useContext(NonceContext);

/** The page's nonce as a script sees it: browsers hide the attribute but keep the property. */
export const pageNonce = () =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
