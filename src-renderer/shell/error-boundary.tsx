import { Component, type ErrorInfo, type ReactNode } from 'react'
import { CrashView } from './crash-view.tsx'
import { crashText } from './screen-fault.ts'

type Props = {
  readonly children: ReactNode
  /** Another place is another try: what failed there says nothing about this one. */
  readonly location: string
  /** A part of the frame fails in one line, so that the screen in it can be used. */
  readonly shape?: 'screen' | 'part'
}
type State = {
  readonly phase: 'drawn' | 'failed'
  readonly location: string
  /** For the diagnostics; empty until React has told where it was. */
  readonly errorText: string
}

/** Keeps what cannot be drawn from blanking the rest. Only a class can catch what children throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { phase: 'drawn', location: this.props.location, errorText: '' }

  static getDerivedStateFromError(): Partial<State> {
    return { phase: 'failed' }
  }

  static getDerivedStateFromProps({ location: place }: Props, state: State): State | null {
    return place === state.location ? null : { phase: 'drawn', location: place, errorText: '' }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const screen = this.props.location
    this.setState({ errorText: crashText({ screen, error, componentStack: componentStack ?? '' }) })
  }

  override render(): ReactNode {
    if (this.state.phase === 'drawn') return this.props.children
    return (
      <CrashView
        shape={this.props.shape ?? 'screen'}
        errorText={this.state.errorText}
        onAgain={() => this.setState({ phase: 'drawn', errorText: '' })}
      />
    )
  }
}
