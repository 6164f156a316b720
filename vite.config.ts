import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // The server keeps one copy of React and of the router; the rest is bundled, so that a start reads few files.
  ssr: {
    noExternal: true,
    external: ['react', 'react-dom', 'react-router', '@react-router/node'],
  },
  build: { assetsInlineLimit: 0 },
});
