import type { Profile } from '../../../src-shared/profile.ts'
import { SETTINGS_WORDS } from '../../words/settings-words.ts'
import css from './profiles.module.css'

const WORDS = SETTINGS_WORDS.profiles

/** A profile to look at; null is `auto`. */
export function ShippedProfile({ profile }: { readonly profile: Profile | null }) {
  if (!profile) return <p className="dim">{WORDS.autoExplain}</p>
  const facts = [
    ...(profile.leaveAlone.length > 0 ? [[WORDS.leaveAlone, profile.leaveAlone.join(', ')] as const] : []),
    ...(profile.dateOrder === 'ymd' ? [] : [[WORDS.dateOrder, WORDS.dateOrders[profile.dateOrder]] as const]),
    ...(profile.nameOrder === 'lastFirst'
      ? []
      : [[WORDS.nameOrder, WORDS.nameOrders[profile.nameOrder]] as const]),
  ]
  return (
    <div className={css.shipped}>
      {profile.patterns.length === 0 ? (
        <p className="dim">{WORDS.noPatterns}</p>
      ) : (
        <ul role="list" className={css.codes} aria-label={WORDS.shippedPatterns}>
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
