/** Header of a response to a request whose bearer token is not valid. */
export const SESSION_HEADER = 'x-session';
export const SESSION_ENDED = 'ended';
