import { passwordCosts } from '#modules/account/password.ts';

// Tests create thousands of accounts; the time that a password costs an attacker is not tested.
Object.assign(passwordCosts, { memoryCost: 8, timeCost: 1 });
