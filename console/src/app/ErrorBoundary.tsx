import { Component, type ReactNode } from 'react';
import { FailedPage } from './FailedPage.tsx';

/** The outermost net: what even the router could not catch. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? (
      this.props.children
    ) : (
      <FailedPage error={this.state.error} retry={() => location.reload()} />
    );
  }
}
