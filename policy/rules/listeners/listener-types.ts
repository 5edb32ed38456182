/** Rules of listeners. Aliases: the constructors of @pulumi/aws 7.48.0, and the modules of earlier versions. */
export const listenerRuleTypes: ReadonlySet<string> = new Set([
  "aws:lb/listenerRule:ListenerRule",
  "aws:elasticloadbalancingv2/listenerRule:ListenerRule",
  "aws:alb/listenerRule:ListenerRule",
  "aws:applicationloadbalancing/listenerRule:ListenerRule",
  "aws-native:elasticloadbalancingv2:ListenerRule",
]);

/** Listeners of load balancers, likewise. */
export const listenerTypes: ReadonlySet<string> = new Set([
  "aws:lb/listener:Listener",
  "aws:elasticloadbalancingv2/listener:Listener",
  "aws:alb/listener:Listener",
  "aws:applicationloadbalancing/listener:Listener",
  "aws-native:elasticloadbalancingv2:Listener",
]);
