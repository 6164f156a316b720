import { createContext, useContext } from 'react';

/** In which the site writes its times; empty until it is known. */
export const TimeZoneContext = createContext('');
export const useTimeZone = () => useContext(TimeZoneContext);
