import { configure } from '@testing-library/react';
import { afterEach, inject } from 'vitest';
import { stubMissingBrowserApis } from './browser-gaps.ts';
import { cleanUpPage } from './render-page.tsx';

configure({ asyncUtilTimeout: inject('waitTimeoutMs') });
stubMissingBrowserApis();
afterEach(cleanUpPage);
