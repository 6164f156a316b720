/** The image library takes 14 MB of a process, so it is loaded with the first image. */
export const loadImageLibrary = async () => (await import('sharp')).default;
