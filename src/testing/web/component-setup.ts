import { configure } from '@testing-library/react';
import { afterEach, inject } from 'vitest';
import { cleanUpPage } from './render-page.tsx';
import { stubMissingBrowserApis } from './stub-missing-browser-apis.ts';

configure({ asyncUtilTimeout: inject('waitTimeoutMs') });
stubMissingBrowserApis();
afterEach(cleanUpPage);
