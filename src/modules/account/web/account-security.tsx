import { Devices } from './devices.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountSecurity() {
  return (
    <div className="space-y-4">
      <TwoFactor />
      <Devices />
    </div>
  );
}
