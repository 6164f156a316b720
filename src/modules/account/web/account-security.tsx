import { DeviceSection } from './login-devices-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

export function AccountSecurity() {
  return (
    <div className="space-y-4">
      <TwoFactorSection />
      <DeviceSection />
    </div>
  );
}
