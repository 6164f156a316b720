import { UserCheck, UserPlus } from 'lucide-react';
import { refreshUserInBackground, useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { followApi } from '../follow.contract.ts';

/** Follows or unfollows a user; a login link for visitors, hidden for the user themselves. */
export function FollowButton({
  userId,
  username,
  className,
  onChange,
}: {
  userId: number;
  username: string;
  className?: string;
  /** Called with the change of the number of fans. */
  onChange?: (step: 1 | -1) => void;
}) {
  const user = useUser();
  const loginHref = useLoginHref();
  const { data } = useQueryPerUser(followApi.get, { user_id: userId });
  if (!user)
    return (
      <ButtonLink variant="outline" to={loginHref} rel="nofollow" className={className}>
        <UserPlus aria-hidden="true" className="size-4" />
        关注
      </ButtonLink>
    );
  if (user.id === userId) return null;
  return (
    <FollowToggle
      userId={userId}
      username={username}
      isFollowing={data?.is_following ?? false}
      isReady={data !== undefined}
      className={className}
      onChange={onChange}
    />
  );
}

/** Follow button for callers that already know whether the user follows. */
export function FollowToggle({
  userId,
  username,
  isFollowing,
  isReady = true,
  className,
  onChange,
}: {
  userId: number;
  username: string;
  isFollowing: boolean;
  isReady?: boolean;
  className?: string;
  onChange?: (step: 1 | -1) => void;
}) {
  const toggle = useAction(isFollowing ? followApi.remove : followApi.create, {
    success: isFollowing ? '已取消关注' : `已关注 ${username}`,
    invalidates: [followApi.get, followApi.list, followApi.feed],
    invalidatesAfterFailure: true,
    onDone: () => {
      onChange?.(isFollowing ? -1 : 1);
      void refreshUserInBackground();
    },
  });
  const Icon = isFollowing ? UserCheck : UserPlus;
  return (
    <Button
      variant={isFollowing ? 'outline' : 'primary'}
      aria-pressed={isFollowing}
      title={isFollowing ? '取消关注' : undefined}
      pending={toggle.isPending}
      disabled={!isReady}
      onClick={() => toggle.run({ user_id: userId })}
      className={className}
    >
      {toggle.isPending ? null : <Icon aria-hidden="true" className="size-4" />}
      <span>
        {isFollowing ? '已关注' : '关注'}
        <span className="sr-only"> {username}</span>
      </span>
    </Button>
  );
}
