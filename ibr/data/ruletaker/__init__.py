"""One record of RuleTaker's files, in and out. The files themselves are `rule_reasoning`."""
