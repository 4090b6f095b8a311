"""Any two-class learner made a many-class one."""
