import { createContext, useContext } from 'react';

/** Time zone in which the site displays times; '' until the settings are loaded. */
export const TimeZoneContext = createContext('');
export const useTimeZone = () => useContext(TimeZoneContext);
