import { argon2Costs } from '#modules/account/password.ts';

// Tests create thousands of accounts; the time that a password costs an attacker is not tested.
Object.assign(argon2Costs, { memoryCost: 8, timeCost: 1 });
