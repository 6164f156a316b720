import { configure } from '@testing-library/react';
import { afterEach, inject } from 'vitest';
import { fillBrowserGaps } from './browser-gaps.ts';
import { endPage } from './render-page.tsx';

configure({ asyncUtilTimeout: inject('waitTimeoutMs') });
fillBrowserGaps();
afterEach(endPage);
