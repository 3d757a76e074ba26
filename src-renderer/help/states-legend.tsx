import { StateBadge } from '../parts/state-badge.tsx'
import type { ShownState } from '../store/shown-state.ts'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'
import css from './help-screen.module.css'

type Group = keyof Words['help']['states']['groups']

const GROUPS: Readonly<Record<Group, readonly ShownState[]>> = {
  needsYou: ['refused', 'unconfirmed', 'incomplete', 'review'],
  byItself: ['collecting', 'waiting', 'retrying', 'sending'],
  stopped: ['held', 'discarded'],
  done: ['sent'],
}
const GROUP_NAMES = Object.keys(GROUPS) as Group[]

type Advice = keyof Words['help']['states']['whatToDo']
const ADVICE: Readonly<Partial<Record<ShownState, Advice>>> = {
  refused: 'refused',
  unconfirmed: 'unconfirmed',
  incomplete: 'incomplete',
  review: 'review',
  held: 'held',
  discarded: 'discarded',
}

/** Each state by its real badge, in a sentence, and what a person does about it. */
export function StatesLegend() {
  return (
    <div className={css.states}>
      {GROUP_NAMES.map((group) => (
        <section key={group}>
          <h3 className={css.small}>{t(`help:states.groups.${group}`)}</h3>
          <dl className={css.legend}>
            {GROUPS[group].map((state) => {
              const advice = ADVICE[state]
              return (
                <div key={state}>
                  <dt>
                    <StateBadge state={state} />
                  </dt>
                  <dd>
                    {t(`state:${state}.meaning`)}
                    {advice !== undefined && (
                      <span className={css.whatToDo}>{t(`help:states.whatToDo.${advice}`)}</span>
                    )}
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}
