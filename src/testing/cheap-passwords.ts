import { passwordCosts } from '#modules/account/password.ts';

// Tests create thousands of accounts; the cost of password hashing is not tested.
Object.assign(passwordCosts, { memoryCost: 8, timeCost: 1 });
