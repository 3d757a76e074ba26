import type { Profile } from '../../../src-shared/profile.ts'
import css from './profiles.module.css'
import { t } from '../../words/t.ts'

/** A profile to look at; null is `auto`. */
export function ShippedProfile({ profile }: { readonly profile: Profile | null }) {
  if (!profile) return <p className="dim">{t('settings:profiles.autoExplain')}</p>
  const facts = [
    ...(profile.leaveAlone.length > 0
      ? [[t('settings:profiles.leaveAlone'), profile.leaveAlone.join(', ')] as const]
      : []),
    ...(profile.dateOrder === 'ymd'
      ? []
      : [
          [t('settings:profiles.dateOrder'), t(`settings:profiles.dateOrders.${profile.dateOrder}`)] as const,
        ]),
    ...(profile.nameOrder === 'lastFirst'
      ? []
      : [
          [t('settings:profiles.nameOrder'), t(`settings:profiles.nameOrders.${profile.nameOrder}`)] as const,
        ]),
  ]
  return (
    <div className={css.shipped}>
      {profile.patterns.length === 0 ? (
        <p className="dim">{t('settings:profiles.noPatterns')}</p>
      ) : (
        <ul role="list" className={css.codes} aria-label={t('settings:profiles.shippedPatterns')}>
          {profile.patterns.map((pattern) => (
            <li key={pattern} className={css.code}>
              {pattern}
            </li>
          ))}
        </ul>
      )}
      {facts.map(([name, value]) => (
        <p key={name}>
          <span className="dim">{name}:</span> {value}
        </p>
      ))}
    </div>
  )
}
