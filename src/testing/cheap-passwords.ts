import { argon2Costs } from '#modules/account/password.ts';

// Tests create thousands of accounts; the cost of password hashing is not tested.
Object.assign(argon2Costs, { memoryCost: 8, timeCost: 1 });
