import { index, type RouteConfig } from '@react-router/dev/routes';

export default [index('public/pages/home.tsx')] satisfies RouteConfig;
